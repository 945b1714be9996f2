// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import cupbear.probe.TargetGuard;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.MachineId;
import java.util.List;
import java.util.Set;

/**
 * What the prober may dial, so that nothing in the store, in Fly's list or in a request can turn it
 * against something else. Addresses come as literals from our own Machine list; each dial is
 * checked again, address and port. Immutable, any thread.
 */
public sealed interface Reach {

  /** Where the two servers of a Machine are dialled. */
  record Place(String address, int guacdPort, int rdpPort) {}

  /** Finds a Machine that is not where its address and the pool's ports say. */
  @FunctionalInterface
  interface Detour {
    /** Simulated Machines with addresses of their own are where they say they are. */
    Detour NONE = (machine, told) -> told;

    Place of(MachineId machine, Place told);
  }

  Place place(MachineId machine, Place told);

  TargetGuard guard(Place place);

  /** Production: our own private network and the pool's two ports, nothing else. */
  record SixPn(List<String> prefixes) implements Reach {
    public SixPn {
      prefixes = List.copyOf(prefixes);
      if (prefixes.isEmpty()) {
        throw new IllegalArgumentException(
            "the prober knows no 6PN prefix; give that of the app's network, as fdaa:9:d844::/48");
      }
      prefixes.forEach(SixPn::check);
    }

    private static void check(String prefix) {
      // Says itself what is wrong with the form.
      TargetGuard unused = TargetGuard.of(List.of(prefix), Set.of());
      int slash = prefix.lastIndexOf('/');
      boolean narrow = Integer.parseInt(prefix.substring(slash + 1)) >= SixPnPrefix.NETWORK_BITS;
      if (!prefix.startsWith("fdaa:") || !narrow) {
        throw new IllegalArgumentException(
            prefix + " is wider than one 6PN network; give the app's own, as fdaa:9:d844::/48");
      }
    }

    @Override
    public Place place(MachineId machine, Place told) {
      return told;
    }

    @Override
    public TargetGuard guard(Place place) {
      return TargetGuard.of(prefixes, Set.of(place.guacdPort(), place.rdpPort()));
    }
  }

  /** Simulated viewers on this very host. */
  final class Loopback implements Reach {
    private static final TargetGuard GUARD = TargetGuard.loopback();
    private final Detour detour;

    private Loopback(Detour detour) {
      this.detour = detour;
    }

    @Override
    public Place place(MachineId machine, Place told) {
      return detour.of(machine, told);
    }

    @Override
    public TargetGuard guard(Place place) {
      return GUARD;
    }
  }

  /**
   * @param detour how to find simulated Machines that share one address and differ by port
   * @throws IllegalArgumentException in any environment but demo
   */
  static Reach loopback(Settings.Environment environment, Detour detour) {
    if (!environment.allowsLoopback()) {
      throw new IllegalArgumentException(
          "viewers on this host are for environment demo, not for %s; give the 6PN prefix instead"
              .formatted(environment.word()));
    }
    return new Loopback(detour);
  }
}
