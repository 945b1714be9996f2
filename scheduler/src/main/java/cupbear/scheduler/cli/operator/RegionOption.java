// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import cupbear.scheduler.model.Region;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code --region} of commands that look at some or all regions. */
final class RegionOption {
  @Option(names = "--region", paramLabel = "REGION", description = "only this region; default: all")
  @Nullable String region;

  @Nullable String value(CommandSpec spec) {
    String given = region;
    if (given != null) ApiOptions.checked(spec, () -> new Region(given));
    return given;
  }
}
