// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

/**
 * What a Machine has answered since it was last started: the witness of whoever claims to have
 * looked.
 *
 * @param guacd questions for a connection that does not exist, answered with error 516
 * @param rdp negotiations confirmed
 */
public record Answered(int guacd, int rdp) {
  static final Answered NOTHING = new Answered(0, 0);
}
