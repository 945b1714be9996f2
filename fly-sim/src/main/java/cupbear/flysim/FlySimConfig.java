// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim;

import cupbear.flysim.viewer.LoopbackViewers;
import cupbear.flysim.viewer.ViewerSettings;
import cupbear.flysim.world.Switches;
import cupbear.flysim.world.Token;
import cupbear.flysim.world.WorldSettings;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a simulator is started.
 *
 * @param host the address to listen on
 * @param port 0 for any that is free
 * @param world how the simulated platform begins
 * @param viewers makes what runs inside the Machines; the simulator closes it when it ends
 */
public record FlySimConfig(String host, int port, WorldSettings world, Supplier<Viewers> viewers) {

  public static final String ORG = "personal";
  public static final String APP = "cupbear-viewer";

  /** Not a secret: it opens nothing but a simulator. */
  public static final String TOKEN = "fm2_fly-sim";

  /** Any free loopback port, one app, one token for it all, real speed, viewers that listen. */
  public static FlySimConfig standard() {
    WorldSettings world =
        new WorldSettings(ORG, APP, List.of(Token.org(TOKEN, ORG)), 1, 1, Switches.standard(), "");
    return new FlySimConfig(
        "127.0.0.1", 0, world, () -> new LoopbackViewers(ViewerSettings.standard()));
  }

  public FlySimConfig withListen(String otherHost, int otherPort) {
    return new FlySimConfig(otherHost, otherPort, world, viewers);
  }

  public FlySimConfig withApp(String app) {
    return with(
        new WorldSettings(
            world.org(),
            app,
            world.tokens(),
            world.speed(),
            world.seed(),
            world.switches(),
            world.preset()));
  }

  public FlySimConfig withTokens(List<Token> tokens) {
    return with(
        new WorldSettings(
            world.org(),
            world.app(),
            tokens,
            world.speed(),
            world.seed(),
            world.switches(),
            world.preset()));
  }

  public FlySimConfig withSpeed(double speed) {
    return with(
        new WorldSettings(
            world.org(),
            world.app(),
            world.tokens(),
            speed,
            world.seed(),
            world.switches(),
            world.preset()));
  }

  public FlySimConfig withSeed(long seed) {
    return with(
        new WorldSettings(
            world.org(),
            world.app(),
            world.tokens(),
            world.speed(),
            seed,
            world.switches(),
            world.preset()));
  }

  public FlySimConfig withSwitches(Switches switches) {
    return with(
        new WorldSettings(
            world.org(),
            world.app(),
            world.tokens(),
            world.speed(),
            world.seed(),
            switches,
            world.preset()));
  }

  /** JSON with {@code faults}, {@code switches} and {@code latencies}; each part may be missing. */
  public FlySimConfig withPreset(String json) {
    return with(
        new WorldSettings(
            world.org(),
            world.app(),
            world.tokens(),
            world.speed(),
            world.seed(),
            world.switches(),
            json));
  }

  public FlySimConfig withViewers(Supplier<Viewers> other) {
    return new FlySimConfig(host, port, world, other);
  }

  private FlySimConfig with(WorldSettings other) {
    return new FlySimConfig(host, port, other, viewers);
  }
}
