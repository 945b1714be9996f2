// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.net.URI;
import java.util.List;

/** The schedulers to talk to. Stays with one while it works. Owned by the client's context. */
final class Replicas {
  private final List<URI> urls;
  private int current;

  Replicas(List<URI> urls) {
    this.urls = List.copyOf(urls);
  }

  int count() {
    return urls.size();
  }

  URI current() {
    return urls.get(current);
  }

  /** Leaves this one, unless another call already did. */
  void leave(URI failed) {
    if (failed.equals(current())) current = (current + 1) % urls.size();
  }
}
