// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parser: bodies in, values out. Behind it nobody sees JSON. */
final class Bodies {
  private static final Duration SIGNAL_MOST = Duration.ofMinutes(15);
  private static final Duration SIGNAL_DEFAULT = Duration.ofMinutes(1);
  private static final int REASON_MOST = 200;

  /** A request for a session, as its body says it. */
  record SessionAsk(
      PoolName pool,
      List<Region> regions,
      @Nullable String clientAddress,
      @Nullable String tenant,
      @Nullable Duration patience,
      Map<String, String> labels) {
    /** The same for the same meaning, however the JSON was written. */
    String fingerprint() {
      Map<String, String> sorted = new TreeMap<>(labels);
      StringBuilder canonical = new StringBuilder();
      for (Object each : new Object[] {pool, regions, clientAddress, tenant, patience, sorted}) {
        String text = String.valueOf(each);
        canonical.append(text.length()).append(':').append(text);
      }
      return sha256(canonical.toString());
    }
  }

  record Renewal(Epoch epoch, @Nullable String receipt) {}

  record Failure(Epoch epoch, String reason, boolean replace) {}

  record SignalAsk(
      String source, PoolName pool, @Nullable Region region, double perMinute, Duration validFor) {}

  private final JsonText json;

  Bodies(int depthMost) {
    this.json = new JsonText(depthMost);
  }

  private <T> Parsed<T> read(byte[] body, Function<Fields, Parsed<T>> reading) {
    return switch (json.object(body)) {
      case Parsed.Bad<Map<String, @Nullable Object>> bad -> new Parsed.Bad<>(bad.errors());
      case Parsed.Good<Map<String, @Nullable Object>> good ->
          reading.apply(new Fields(good.value()));
    };
  }

  Parsed<SessionAsk> session(byte[] body) {
    return read(
        body,
        fields -> {
          var pool = fields.required("pool", Readings::pool);
          var regions = fields.optional("region", Readings::regions);
          var address = fields.optional("client_address", Readings::address);
          var tenant = fields.optional("tenant", Readings.TENANT_NAME);
          var wait = fields.optional("wait", Readings::duration);
          var labels = fields.optional("labels", value -> Readings.labels(fields, value));
          return fields.give(() ->
              new SessionAsk(
                  pool.must(),
                  regions.or(List.of()),
                  address.get(),
                  tenant.get(),
                  wait.get(),
                  labels.or(Map.of())));
        });
  }

  Parsed<Epoch> confirmation(byte[] body) {
    return read(
        body,
        fields -> {
          var epoch = fields.required("epoch", Readings::epoch);
          return fields.give(epoch::must);
        });
  }

  Parsed<Renewal> renewal(byte[] body) {
    return read(
        body,
        fields -> {
          var epoch = fields.required("epoch", Readings::epoch);
          var receipt = fields.optional("receipt", Readings.RECEIPT_TEXT);
          return fields.give(() -> new Renewal(epoch.must(), receipt.get()));
        });
  }

  Parsed<Failure> failure(byte[] body) {
    return read(
        body,
        fields -> {
          var epoch = fields.required("epoch", Readings::epoch);
          var reason = fields.required("reason", Fields.text(REASON_MOST));
          var replace = fields.optional("replace", Fields::truth);
          return fields.give(() -> new Failure(epoch.must(), reason.must(), replace.or(false)));
        });
  }

  /** The reason of an act; a body may be left out. */
  Parsed<String> act(byte[] body) {
    if (body.length == 0) return new Parsed.Good<>("");
    return read(
        body,
        fields -> {
          var reason = fields.optional("reason", Fields.text(REASON_MOST));
          return fields.give(() -> reason.or(""));
        });
  }

  Parsed<SignalAsk> signal(byte[] body) {
    return read(
        body,
        fields -> {
          var source = fields.required("source", Readings.SOURCE_NAME);
          var pool = fields.required("pool", Readings::pool);
          var region = fields.optional("region", Readings::region);
          var rate = fields.required("arrivals_per_minute", Readings::rate);
          var valid = fields.optional("valid_for", Readings.durationUpTo(SIGNAL_MOST));
          return fields.give(() ->
              new SignalAsk(
                  source.must(), pool.must(), region.get(), rate.must(), valid.or(SIGNAL_DEFAULT)));
        });
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
