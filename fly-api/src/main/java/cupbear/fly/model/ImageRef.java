// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.Map;

/** The image a Machine really runs; compare the digest to see drift from a template. */
public record ImageRef(
    String registry, String repository, String tag, String digest, Map<String, String> labels) {
  public ImageRef {
    registry = Absent.text(registry);
    repository = Absent.text(repository);
    tag = Absent.text(tag);
    digest = Absent.text(digest);
    labels = Absent.map(labels);
  }
}
