// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.StoreTrouble;
import cupbear.scheduler.trace.Tracing;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts what happens, and tells it: one line each ({@link Chronicle}). Any thread. */
final class Counting implements Meters {
  private final Figures figures;
  private final Chronicle chronicle;
  private final Tracing tracing;

  Counting(Figures figures, Chronicle chronicle, Tracing tracing) {
    this.figures = figures;
    this.chronicle = chronicle;
    this.tracing = tracing;
  }

  @Override
  public void assigned(Served served) {
    in(served.pool(), served.region(), it -> it.assigned(served.outcome(), served.took()));
    chronicle.assigned(served);
  }

  @Override
  public void connected(Grant grant, Duration took) {
    in(grant.pool(), grant.region(), it -> it.connected(took));
    tracing.connected(grant, took);
    chronicle.connected(grant, took);
  }

  @Override
  public void ended(PoolName pool, SessionId session, @Nullable Grant grant, String how) {
    chronicle.ended(pool, session, grant, how);
  }

  @Override
  public void store(PoolName pool, String how) {
    chronicle.store(pool, how);
  }

  @Override
  public void observed(PoolName pool, Region region, Duration took, @Nullable Throwable noList) {
    in(pool, region, it -> it.observed(took));
    chronicle.listed(pool, region, noList);
  }

  @Override
  public void planned(PoolName pool, Region region, Plan plan) {
    in(pool, region, it -> it.planned(plan));
  }

  @Override
  public void acted(Acted acted) {
    Mandate mandate = acted.mandate();
    in(mandate.pool(), mandate.region(), it -> it.acted(acted.action().kind(), acted.outcome()));
    chronicle.acted(acted);
  }

  @Override
  public void replaced(PoolName pool, Region region, Reason reason) {
    in(pool, region, it -> it.replaced(reason));
  }

  @Override
  public void probed(
      PoolName pool, Region region, MachineId machine, Probes.Answer answer, Duration took) {
    in(pool, region, it -> it.probed(answer.depth(), answer.verdict(), took));
    chronicle.probed(pool, region, machine, answer, took);
  }

  @Override
  public void proven(Mandate mandate, MachineId machine) {
    chronicle.proven(mandate, machine);
  }

  @Override
  public void noted(Entry entry) {
    chronicle.noted(entry);
  }

  @Override
  public void fenced(Mandate mandate) {
    in(mandate.pool(), mandate.region(), RegionMeters::fenced);
    chronicle.fenced(mandate);
  }

  @Override
  public void breach(PoolName pool, Region region, String what) {
    in(pool, region, it -> it.breach(what));
    chronicle.breach(pool, region, what);
  }

  @Override
  public void storeCalled(
      PoolName pool, String script, StoreTrouble.@Nullable Kind trouble, Duration took) {
    PoolMeters meters = figures.find(pool);
    if (meters != null) meters.called(script, trouble, took);
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }

  private void in(PoolName pool, Region region, Consumer<RegionMeters> then) {
    RegionMeters meters = figures.find(pool, region);
    if (meters != null) then.accept(meters);
  }
}
