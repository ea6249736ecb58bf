// The stages whose kernels, which sum the results of a row, a test compiles as C++ and runs.
#pragma once

#include <vector>

#include "plan/shape/summed_rows.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {

// Complex rows there and back, in place, scaled and with elements left out; reals alone and in pairs, there and back;
// and what maps make of them on both sides.
inline std::vector<plan::Stage> summed_stages() {
  std::vector<plan::Stage> stages;
  for (const char* problem :
       {"c2c:f32:3*11:inplace", "c2c:f64:2*7:inverse:norm=ortho", "c2c:f32:2*13:nonzero=9:wanted=5", "r2c:f32:13",
        "r2c:f64:4*11", "c2r:f32:11", "c2r:f32:2*9", "dct2:f32:2*11", "dct3:f64:13", "dct4:f32:11", "dht:f32:3*12"}) {
    plan::Stage stage = first_stage(problem);
    stage.shape = plan::summed_shape(stage);
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace twiddle::test
