// SPDX-License-Identifier: Apache-2.0
/** The world behind real HTTP: routes that only translate, and timers of one Vert.x context. */
@NullMarked
package cupbear.flysim.http;

import org.jspecify.annotations.NullMarked;
