// Which of a vector's elements each lane holds.
#pragma once

namespace twiddle::backend::host {

// With AVX2, moves across the halves of a vector are spared where lanes are in the order `in_blocks`, that of exchanges
// within 128-bit blocks alone: complex numbers go that way between memory and planes. By other instructions both orders
// are the same. What is moved twice is where it was.
enum class LaneOrder { natural, in_blocks };

}  // namespace twiddle::backend::host
