// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static java.nio.charset.StandardCharsets.UTF_8;

import cupbear.redis.RedisAddress;
import cupbear.scheduler.adapter.redis.ClaimCommand;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol.Command;

/** The claim's script alone, over one connection that always has the next batch on its way. */
final class RawClaims implements AutoCloseable {
  private static final int BATCH = 64;
  private static final Pattern REPLICATION_ID = Pattern.compile("master_replid:(\\w+)");
  private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:user|sys):([0-9.]+)");
  private static final Pattern EVALSHA =
      Pattern.compile("cmdstat_evalsha:calls=(\\d+),usec=(\\d+)");

  private final Connection redis;
  private final StoreRules rules;
  private final String replicationId;

  RawClaims(RedisAddress address, StoreRules rules) {
    this.rules = rules;
    this.redis =
        new Connection(
            address.hostAndPort(),
            DefaultJedisClientConfig.builder()
                .password(address.password())
                .autoNegotiateProtocol(false)
                .resp2()
                .socketTimeoutMillis(30_000)
                .build());
    redis.connect();
    Matcher id = REPLICATION_ID.matcher(info("replication"));
    if (!id.find()) throw new IllegalStateException("Redis does not tell its replication id");
    this.replicationId = id.group(1);
    redis.sendCommand(Command.SCRIPT, "LOAD", ClaimCommand.source());
    redis.getOne();
  }

  String replicationId() {
    return replicationId;
  }

  private String info(String section) {
    redis.sendCommand(Command.INFO, section);
    return new String(Objects.requireNonNull((byte[]) redis.getOne()), UTF_8);
  }

  /** A request under a key of its own, from somebody who does not wait. */
  static ClaimRequest request(PoolName pool, long serial, Terms terms) {
    String name = "%016d".formatted(serial);
    return new ClaimRequest(
        pool,
        new Caller("bench"),
        "acme",
        name,
        "fingerprint",
        waiter(pool, serial),
        List.of(Replica.REGION),
        Duration.ZERO,
        terms);
  }

  static Waiter waiter(PoolName pool, long serial) {
    return new Waiter(SessionId.of(pool, "%026d".formatted(serial)), "mark");
  }

  private CommandArguments command(ClaimRequest request) {
    CommandArguments command =
        new CommandArguments(Command.EVALSHA)
            .add(ClaimCommand.sha())
            .add("1")
            .key(ClaimCommand.key(request.pool()));
    ClaimCommand.arguments(replicationId, rules, request).forEach(command::add);
    return command;
  }

  /** Claims one after another, two batches on their way; how many a second. */
  double perSecond(PoolName pool, Terms terms, int claims, long firstKey) {
    List<CommandArguments> commands = new ArrayList<>(claims);
    for (int i = 0; i < claims; i++) commands.add(command(request(pool, firstKey + i, terms)));
    long begin = System.nanoTime();
    int sent = 0;
    int heard = 0;
    int granted = 0;
    while (heard < claims) {
      while (sent < claims && sent - heard < 2 * BATCH) redis.sendCommand(commands.get(sent++));
      for (Object reply : redis.getMany(Math.min(BATCH, sent - heard))) {
        if (isGranted(reply)) granted++;
        heard++;
      }
    }
    long took = System.nanoTime() - begin;
    if (granted < claims) {
      throw new IllegalStateException("only %d of %d were granted".formatted(granted, claims));
    }
    return claims * 1e9 / took;
  }

  private static boolean isGranted(Object reply) {
    return reply instanceof List<?> parts
        && parts.getFirst() instanceof byte[] word
        && new String(word, UTF_8).equals("granted");
  }

  /** What so many claims cost the server, in microseconds each, by its own count. */
  double microsEach(PoolName pool, Terms terms, int claims, long firstKey) {
    redis.sendCommand(Command.CONFIG, "RESETSTAT");
    redis.getOne();
    var unused = perSecond(pool, terms, claims, firstKey);
    Matcher stats = EVALSHA.matcher(info("commandstats"));
    if (!stats.find()) throw new IllegalStateException("Redis counts no scripts");
    return Double.parseDouble(stats.group(2)) / Long.parseLong(stats.group(1));
  }

  /** What the server has used of its CPUs, by its own count. */
  double cpuMicros() {
    double seconds = 0;
    Matcher used = CPU.matcher(info("cpu"));
    while (used.find()) seconds += Double.parseDouble(used.group(1));
    return seconds * 1e6;
  }

  @Override
  public void close() {
    redis.close();
  }
}
