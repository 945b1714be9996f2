// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.trace.Tracing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is counted, timed, told and traced, in our words; names of metrics, log fields and spans
 * live in telemetry. Cheap and never failing; any thread; the defaults do nothing.
 */
public interface Meters {
  Meters NONE = new Meters() {};

  /**
   * A session request and its answer.
   *
   * @param region where it was served, or would have been
   * @param outcome the answer's word
   * @param grant null unless it got a Machine
   * @param traceId empty without a trace
   */
  record Served(
      PoolName pool,
      Region region,
      String outcome,
      Duration took,
      @Nullable Grant grant,
      String traceId) {}

  /** A session request was answered. */
  default void assigned(Served served) {}

  /** A session is connected, this long after its grant. */
  default void connected(Grant grant, Duration took) {}

  /**
   * A session is over: its gateway ended it, or it ran out.
   *
   * @param grant its Machine, where it is known
   */
  default void ended(PoolName pool, SessionId session, @Nullable Grant grant, String how) {}

  /** How a store is that can be used. */
  String STORE_FINE = "fine";

  /** The store is not as this replica found it before. */
  default void store(PoolName pool, String how) {}

  /**
   * A leader looked at Fly and the store.
   *
   * @param noList why Fly's list did not come; null when it did
   */
  default void observed(PoolName pool, Region region, Duration took, @Nullable Throwable noList) {}

  /** A pass decided. */
  default void planned(PoolName pool, Region region, Plan plan) {}

  /**
   * What a loop did.
   *
   * @param trouble one sentence; empty when all is well
   * @param traceId empty without a trace
   */
  record Acted(
      Mandate mandate,
      Action action,
      String outcome,
      String trouble,
      Duration took,
      String traceId) {}

  /** An action ended. */
  default void acted(Acted acted) {}

  /** A Machine is given up and replaced. */
  default void replaced(PoolName pool, Region region, Reason reason) {}

  default void probed(
      PoolName pool, Region region, MachineId machine, Probes.Answer answer, Duration took) {}

  /** A Machine is ready; the first waiter may have it already. */
  default void proven(Mandate mandate, MachineId machine) {}

  /** A leader wrote this into the journal. */
  default void noted(Entry entry) {}

  /** Somebody else leads by now: a write was refused. */
  default void fenced(Mandate mandate) {}

  /** Something that must not happen, happened: counted, alerted, survived. */
  default void breach(PoolName pool, Region region, String what) {}

  /**
   * The store was called.
   *
   * @param trouble null when it answered
   */
  default void storeCalled(
      PoolName pool, String script, StoreTrouble.@Nullable Kind trouble, Duration took) {}

  /** Traces, when somebody keeps them. */
  default Tracing tracing() {
    return Tracing.NONE;
  }
}
