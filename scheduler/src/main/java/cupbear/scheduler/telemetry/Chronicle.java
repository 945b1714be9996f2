// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line per decision and outcome. The message is constant, the facts are fields; nothing is said
 * while nothing changes. Any thread.
 */
final class Chronicle {
  static final String NAME = "cupbear.chronicle";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  /** More Machines than one replica probes; the oldest of them would be told of once more. */
  private static final int MACHINES_REMEMBERED = 20_000;

  private static final String NO_LIST = "Fly's list does not come";

  /** Why the newest list of each regional pool did not come; empty where it did. */
  private final Map<String, String> lists = new ConcurrentHashMap<>();

  private final Map<MachineId, Verdict> verdicts =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<MachineId, Verdict> eldest) {
              return size() > MACHINES_REMEMBERED;
            }
          });

  void assigned(Meters.Served served) {
    boolean odd = Labels.Assign.of(served.outcome()) == Labels.Assign.UNAVAILABLE;
    LoggingEventBuilder line =
        line(odd ? Level.WARN : Level.INFO, served.pool(), served.region())
            .addKeyValue("outcome", served.outcome())
            .addKeyValue("duration_ms", served.took().toMillis());
    if (!served.traceId().isEmpty()) line = line.addKeyValue("trace_id", served.traceId());
    Grant grant = served.grant();
    if (grant == null) line.log("session request answered without a Machine");
    else about(line, grant).log("session assigned");
  }

  void connected(Grant grant, Duration took) {
    about(line(Level.INFO, grant.pool(), grant.region()), grant)
        .addKeyValue("duration_ms", took.toMillis())
        .log("session connected");
  }

  void ended(PoolName pool, SessionId session, @Nullable Grant grant, String how) {
    LoggingEventBuilder line =
        line(Level.INFO, pool, grant == null ? null : grant.region()).addKeyValue("outcome", how);
    line = grant == null ? line.addKeyValue("session", session) : about(line, grant);
    line.log("session ended");
  }

  void store(PoolName pool, String how) {
    line(how.equals(Meters.STORE_FINE) ? Level.INFO : Level.WARN, pool, null)
        .addKeyValue("outcome", how)
        .log("store says something new");
  }

  void acted(Meters.Acted acted) {
    Mandate mandate = acted.mandate();
    Action action = acted.action();
    boolean well = Labels.Act.of(acted.outcome()) != Labels.Act.FAILED;
    LoggingEventBuilder line =
        line(well ? Level.INFO : Level.WARN, mandate.pool(), mandate.region())
            .addKeyValue("machine", action.on())
            .addKeyValue("epoch", mandate.epoch())
            .addKeyValue("action", Labels.word(action.kind()))
            .addKeyValue("reason", action.why().reason().word())
            .addKeyValue("why", action.why().detail())
            .addKeyValue("outcome", acted.outcome())
            .addKeyValue("duration_ms", acted.took().toMillis());
    if (!acted.trouble().isEmpty()) line = line.addKeyValue("trouble", acted.trouble());
    if (!acted.traceId().isEmpty()) line = line.addKeyValue("trace_id", acted.traceId());
    line.log("action ended");
  }

  /** A verdict is news when it is not the one before. */
  void probed(
      PoolName pool, Region region, MachineId machine, Probes.Answer answer, Duration took) {
    Verdict verdict = answer.verdict();
    if (verdicts.put(machine, verdict) == verdict) return;
    boolean odd = verdict == Verdict.MISCONFIGURED || verdict == Verdict.PROBER_FAULT;
    line(odd ? Level.WARN : Level.INFO, pool, region)
        .addKeyValue("machine", machine)
        .addKeyValue("outcome", Labels.word(verdict))
        .addKeyValue("depth", Labels.word(answer.depth()))
        .addKeyValue("detail", answer.detail())
        .addKeyValue("duration_ms", took.toMillis())
        .log("probe says something new");
  }

  /** A list that does not come is told once for each kind of trouble, and that it comes again. */
  void listed(PoolName pool, Region region, @Nullable Throwable noList) {
    String kind = noList == null ? "" : kind(noList);
    String before = lists.put(pool + "/" + region, kind);
    if (kind.equals(before == null ? "" : before)) return;
    LoggingEventBuilder line = line(noList == null ? Level.INFO : Level.WARN, pool, region);
    if (noList == null) line.log("Fly's list comes again");
    else line.addKeyValue("outcome", kind).addKeyValue("why", noList.getMessage()).log(NO_LIST);
  }

  private static String kind(Throwable trouble) {
    return trouble instanceof FlyTrouble fly ? Labels.word(fly.kind()) : "late";
  }

  void proven(Mandate mandate, MachineId machine) {
    line(Level.INFO, mandate.pool(), mandate.region())
        .addKeyValue("machine", machine)
        .addKeyValue("epoch", mandate.epoch())
        .log("machine proven");
  }

  /** Of the journal only what has no line of its own here. */
  private static boolean isNews(Entry entry) {
    return entry.kind().startsWith("finding.") || entry.kind().equals("probe.misconfigured");
  }

  void noted(Entry entry) {
    if (!isNews(entry)) return;
    boolean odd =
        entry.kind().equals("finding.raised") || entry.kind().equals("probe.misconfigured");
    LoggingEventBuilder line =
        line(odd ? Level.WARN : Level.INFO, entry.pool(), entry.region())
            .addKeyValue("event", entry.kind())
            .addKeyValue("why", entry.why());
    if (entry.machine() != null) line = line.addKeyValue("machine", entry.machine());
    if (entry.epoch() != null) line = line.addKeyValue("epoch", entry.epoch());
    String kind = entry.data().get("kind");
    if (kind != null) line = line.addKeyValue("finding", kind);
    line.log("noted");
  }

  void fenced(Mandate mandate) {
    line(Level.WARN, mandate.pool(), mandate.region())
        .addKeyValue("epoch", mandate.epoch())
        .log("a write was refused: somebody else leads");
  }

  void breach(PoolName pool, Region region, String what) {
    line(Level.ERROR, pool, region)
        .addKeyValue("rule", Labels.rule(what))
        .addKeyValue("why", what)
        .log("something happened that must not happen");
  }

  private static LoggingEventBuilder line(Level level, PoolName pool, @Nullable Region region) {
    LoggingEventBuilder line = LOG.atLevel(level).addKeyValue("pool", pool);
    return region == null ? line : line.addKeyValue("region", region);
  }

  private static LoggingEventBuilder about(LoggingEventBuilder line, Grant grant) {
    return line.addKeyValue("machine", grant.machine())
        .addKeyValue("session", grant.session())
        .addKeyValue("epoch", grant.epoch());
  }
}
