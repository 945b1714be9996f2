// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.port.StoreTrouble.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One pipeline there and back: what became of each call.
 *
 * @param again calls that were surely not carried out and may be sent once more
 */
record RedisBatch(List<RedisCall> again, boolean linkIsBroken) {
  private static final Logger log = LoggerFactory.getLogger(RedisBatch.class);

  static RedisBatch carry(RedisLink link, List<RedisCall> calls, RedisSettings settings) {
    Connection connection = link.connection();
    List<Object> replies;
    long acknowledged;
    try {
      for (RedisCall call : calls) connection.sendCommand(command(call, link.serverId()));
      if (settings.strict()) {
        connection.sendCommand(Command.WAIT, "1", "" + settings.timeout().toMillis() / 2);
      }
      replies = connection.getMany(calls.size() + (settings.strict() ? 1 : 0));
      acknowledged = settings.strict() ? acknowledged(replies.removeLast()) : 1;
    } catch (JedisConnectionException e) {
      String why = "sent to Redis, but the answer was lost: " + e.getMessage();
      calls.forEach(call -> call.refuse(Kind.UNSURE, why));
      return new RedisBatch(List.of(), true);
    }
    return new Settling(link, acknowledged > 0).settle(calls, replies);
  }

  private static long acknowledged(Object reply) {
    return reply instanceof Long count ? count : 0;
  }

  /** Every script gets its pool's key prefix as the one key, and the server's identity first. */
  private static CommandArguments command(RedisCall call, String serverId) {
    CommandArguments command =
        new CommandArguments(Command.EVALSHA)
            .add(call.script().sha())
            .add("1")
            .key(call.prefix())
            .add(serverId);
    call.args().forEach(command::add);
    return command;
  }

  /** Reads the replies of one pipeline. */
  private static final class Settling {
    private final RedisLink link;
    private final boolean durable;
    private final List<RedisCall> again = new ArrayList<>();
    private final Set<Script> unknown = new HashSet<>();
    private boolean broken;
    private final Map<RedisCall, String> lost = new LinkedHashMap<>();

    Settling(RedisLink link, boolean durable) {
      this.link = link;
      this.durable = durable;
    }

    RedisBatch settle(List<RedisCall> calls, List<Object> replies) {
      for (int i = 0; i < calls.size(); i++) {
        RedisCall call = calls.get(i);
        if (replies.get(i) instanceof JedisDataException error) settle(call, error);
        else if (durable) call.answer(replies.get(i));
        else call.refuse(Kind.UNSURE, "done, but no replica of Redis has it yet");
      }
      prepareTheNext();
      return new RedisBatch(again, broken);
    }

    private void settle(RedisCall call, JedisDataException error) {
      String text = String.valueOf(error.getMessage());
      switch (word(text)) {
        case "NOSCRIPT" -> {
          unknown.add(call.script());
          resend(call, text);
        }
        case "CB_FENCED" -> call.refuse(Kind.FENCED, rest(text));
        case "CB_LOST" -> lost.put(call, rest(text));
        // Another server is the primary now, or this one is not ready: nothing was carried out.
        case "READONLY", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN" -> {
          broken = true;
          resend(call, text);
        }
        case "LOADING", "BUSY", "NOREPLICAS", "OOM", "MISCONF", "NOAUTH", "WRONGPASS", "NOPERM" -> {
          broken = true;
          call.refuse(Kind.UNREACHABLE, "Redis refuses to work: " + text);
        }
        default -> {
          // A bug in a script. It may have done half of its work, so nobody can say what is true.
          log.error("The script {} failed: {}", call.script(), text);
          call.refuse(Kind.UNSURE, text);
        }
      }
    }

    private void resend(RedisCall call, String text) {
      if (call.mayResend(System.nanoTime())) again.add(call);
      else call.refuse(Kind.UNREACHABLE, "Redis refuses to work: " + text);
    }

    private void prepareTheNext() {
      try {
        for (Script script : unknown) {
          link.connection().sendCommand(Command.SCRIPT, "LOAD", script.source());
          link.connection().getOne();
        }
        if (!lost.isEmpty()) askWhoItIs();
      } catch (JedisException e) {
        broken = true;
        lost.forEach((call, why) -> resend(call, why));
      }
    }

    /** A primary that has another id than we knew is not lost data, but old knowledge of ours. */
    private void askWhoItIs() {
      String before = link.serverId();
      link.identifyAgain();
      boolean other = !link.serverId().equals(before);
      lost.forEach((call, why) -> {
        if (other && call.mayResend(System.nanoTime())) again.add(call);
        else call.refuse(Kind.RECOVERING, why);
      });
    }

    private static String word(String text) {
      int space = text.indexOf(' ');
      return space < 0 ? text : text.substring(0, space);
    }

    private static String rest(String text) {
      int space = text.indexOf(' ');
      return space < 0 ? text : text.substring(space + 1);
    }
  }
}
