// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** The reason of an action: one word for machines, one sentence for people. */
public record Why(Reason reason, String detail) {
  @Override
  public String toString() {
    return reason.word() + ": " + detail;
  }
}
