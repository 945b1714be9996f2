// SPDX-License-Identifier: Apache-2.0
/** Real Redis processes that need no installation and never outlive their owner. */
@NullMarked
package cupbear.redis;

import org.jspecify.annotations.NullMarked;
