// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.config.CurrentSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGHUP: the settings are read again, and the log says what came of it. */
final class Reloading {
  private static final Logger LOG = LoggerFactory.getLogger(Reloading.class);

  private Reloading() {}

  static void run(CurrentSettings settings) {
    switch (settings.reload()) {
      case CurrentSettings.Outcome.Unchanged unchanged -> LOG.info("settings read: no change");
      case CurrentSettings.Outcome.Swapped swapped ->
          LOG.atInfo().addKeyValue("changes", swapped.changes()).log("new settings hold");
      case CurrentSettings.Outcome.NeedsRestart needs ->
          LOG.atError()
              .addKeyValue("changes", needs.changes())
              .log("settings not taken over: these need a restart");
      case CurrentSettings.Outcome.Refused refused ->
          LOG.atError()
              .addKeyValue("problems", refused.problems())
              .log("settings not taken over: they are wrong");
    }
  }
}
