// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

/**
 * Who goes first when calls must wait. A share of every budget is kept free for urgent calls, so
 * that filling a pool never delays the end of a session.
 */
public enum Urgency {
  URGENT,
  ROUTINE
}
