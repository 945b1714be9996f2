// SPDX-License-Identifier: Apache-2.0
/** How tests take a Redis: one JUnit extension, whatever machine they run on. */
@NullMarked
package cupbear.redis.testing;

import org.jspecify.annotations.NullMarked;
