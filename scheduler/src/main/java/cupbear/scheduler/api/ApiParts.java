// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.EventFeed;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.Signals;
import cupbear.scheduler.app.Steering;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.TokenDirectory;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that the API speaks for. */
public record ApiParts(Serving serving, Trusting trusting, Showing showing, InstantSource clock) {

  /**
   * Who does what was asked for.
   *
   * @param reload reads the settings again; may block
   */
  public record Serving(
      Assignments assignments,
      Fleet fleet,
      Steering steering,
      Signals signals,
      EventFeed events,
      Supplier<CurrentSettings.Outcome> reload,
      Locator locator) {}

  /** Who is believed. */
  public record Trusting(TokenDirectory tokens, Receipts receipts, SealedCredentials credentials) {}

  /**
   * How it goes.
   *
   * @param scrape the metrics as text; null when nobody keeps any
   */
  public record Showing(
      List<ReadyCheck> checks, @Nullable Supplier<String> scrape, ApiMeters meters) {
    public Showing {
      checks = List.copyOf(checks);
    }
  }

  /** Knows the region of some 6PN addresses, such as those of gateways that said so. */
  public interface Locator {
    Locator NOWHERE = address -> Optional.empty();

    Optional<Region> regionOf(String address);
  }
}
