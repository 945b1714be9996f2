// SPDX-License-Identifier: Apache-2.0
/**
 * Who may do what, and what must not leak: tokens, roles, rates, where we listen, sealed
 * credentials, signed receipts. Nothing of HTTP is in here.
 */
@NullMarked
package cupbear.scheduler.security;

import org.jspecify.annotations.NullMarked;
