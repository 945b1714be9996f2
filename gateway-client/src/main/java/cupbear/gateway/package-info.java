// SPDX-License-Identifier: Apache-2.0
/** The small library that a gateway embeds to get, keep and give back sessions. */
@NullMarked
package cupbear.gateway;

import org.jspecify.annotations.NullMarked;
