// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.model.PoolName;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The token file as JSON. Strict: a field that we do not know might have meant to forbid. */
final class TokenJson {
  private static final int VERSION = 1;
  private static final int DEPTH_MOST = 8;
  private static final Set<String> FIELDS =
      Set.of("id", "name", "role", "pools", "sha256", "created", "expires");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static {
    JSON.getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxNestingDepth(DEPTH_MOST).build());
  }

  private TokenJson() {}

  /** The tokens; whatever is wrong is added to the problems. */
  static List<Token> read(byte[] bytes, List<String> problems) {
    JsonNode root;
    try {
      root = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      problems.add("line %d: not JSON".formatted(line));
      return List.of();
    } catch (IOException e) {
      problems.add("not JSON");
      return List.of();
    }
    if (!root.path("version").isInt() || root.path("version").intValue() != VERSION) {
      problems.add("version is not 1; this Cupbear reads version 1 only");
      return List.of();
    }
    return tokens(root, problems);
  }

  private static List<Token> tokens(JsonNode root, List<String> problems) {
    unknown(root, Set.of("version", "tokens"), "", problems);
    if (!root.path("tokens").isArray()) problems.add("tokens is not a list");
    List<Token> tokens = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    int position = 0;
    for (JsonNode each : root.path("tokens")) {
      String at = "tokens[%d]".formatted(position++);
      Token token = token(each, at, problems);
      if (token == null) continue;
      if (!ids.add(token.id())) problems.add("%s: id %s is there twice".formatted(at, token.id()));
      tokens.add(token);
    }
    return tokens;
  }

  private static @Nullable Token token(JsonNode node, String at, List<String> problems) {
    int before = problems.size();
    unknown(node, FIELDS, at + ".", problems);
    String id = text(node, "id", at, problems);
    String name = text(node, "name", at, problems);
    String role = text(node, "role", at, problems);
    String sha256 = text(node, "sha256", at, problems);
    Instant created = instant(node, "created", at, problems);
    Instant expires = node.has("expires") ? instant(node, "expires", at, problems) : null;
    Set<PoolName> pools = pools(node, at, problems);
    if (problems.size() > before) return null;
    try {
      Role known = Role.of(role).orElseThrow(() -> new IllegalArgumentException("unknown role"));
      return new Token(id, name, known, new TreeSet<>(pools), sha256, created, expires);
    } catch (IllegalArgumentException e) {
      problems.add("%s: %s".formatted(at, e.getMessage()));
      return null;
    }
  }

  private static void unknown(JsonNode node, Set<String> known, String at, List<String> problems) {
    node.fieldNames()
        .forEachRemaining(name -> {
          if (!known.contains(name)) problems.add("%sa field is not known".formatted(at));
        });
  }

  private static String text(JsonNode node, String field, String at, List<String> problems) {
    if (node.path(field).isTextual()) return node.path(field).textValue();
    problems.add("%s.%s is not a text".formatted(at, field));
    return "";
  }

  private static Instant instant(JsonNode node, String field, String at, List<String> problems) {
    try {
      if (node.path(field).isTextual()) return Instant.parse(node.path(field).textValue());
    } catch (DateTimeException e) {
      // Said below, like every other way of not being a moment.
    }
    problems.add("%s.%s is not a moment such as 2026-11-18T12:00:00Z".formatted(at, field));
    return Instant.EPOCH;
  }

  /** An empty list would look like "no pool" and mean "all", so it is refused. */
  private static Set<PoolName> pools(JsonNode node, String at, List<String> problems) {
    Set<PoolName> pools = new HashSet<>();
    if (!node.has("pools")) return pools;
    JsonNode list = node.path("pools");
    if (!list.isArray() || list.isEmpty()) {
      problems.add("%s.pools is not a list of names; leave it out for all pools".formatted(at));
      return pools;
    }
    for (JsonNode each : list) {
      try {
        pools.add(new PoolName(each.isTextual() ? each.textValue() : ""));
      } catch (IllegalArgumentException e) {
        problems.add("%s.pools: a name that no pool can have".formatted(at));
      }
    }
    return pools;
  }

  static String write(List<Token> tokens) {
    ObjectNode root = JSON.createObjectNode().put("version", VERSION);
    ArrayNode list = root.putArray("tokens");
    for (Token token : tokens) {
      ObjectNode node = list.addObject();
      node.put("id", token.id()).put("name", token.name()).put("role", token.role().word());
      if (!token.pools().isEmpty()) {
        ArrayNode pools = node.putArray("pools");
        token.pools().forEach(pool -> pools.add(pool.value()));
      }
      node.put("sha256", token.sha256()).put("created", token.created().toString());
      if (token.expires() != null) node.put("expires", token.expires().toString());
    }
    return root.toPrettyString() + "\n";
  }
}
