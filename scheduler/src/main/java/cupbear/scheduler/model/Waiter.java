// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/**
 * One HTTP call that stands in the queue for a session.
 *
 * @param mark unique per call. A caller that lost its connection asks again with the same key and
 *     joins the same session; from then on only the newest mark may take the place back, so that
 *     the end of the dead call cannot take it from the living one.
 */
public record Waiter(SessionId session, String mark) {
  public Waiter {
    Words.require(mark, Words.ID, "mark");
  }
}
