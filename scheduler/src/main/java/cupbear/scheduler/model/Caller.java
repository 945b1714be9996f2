// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** Who asks, by the public id of its token: what sessions and idempotency keys are scoped to. */
public record Caller(String id) {
  public Caller {
    Words.require(id, Words.CALLER, "caller");
  }

  @Override
  public String toString() {
    return id;
  }
}
