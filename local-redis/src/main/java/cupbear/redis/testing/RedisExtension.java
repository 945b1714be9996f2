// SPDX-License-Identifier: Apache-2.0
package cupbear.redis.testing;

import cupbear.redis.LocalCluster;
import cupbear.redis.LocalRedis;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisAddress;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a test class its own Redis: ask for a {@link RedisAddress} (standalone), a {@link
 * LocalSentinel} or a {@link LocalCluster} as a parameter. Each outermost test class gets its own
 * processes, shared by its methods and nested classes and ended after the class.
 *
 * <p>Standalone comes from Testcontainers when a Docker engine answers, else from the server inside
 * a jar; the log says which. Sentinel and Cluster are always local processes, because tests kill
 * and freeze their members, and clients must reach the addresses that members tell them. A test
 * that must kill a standalone Redis asks for {@link LocalRedis}, for the same reason.
 */
public final class RedisExtension implements ParameterResolver {

  private static final Logger log = LoggerFactory.getLogger(RedisExtension.class);
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(RedisExtension.class);

  /** Whether an engine answers is asked once in a JVM: asking in vain takes a second or two. */
  private static final class Docker {
    static final boolean ANSWERS = DockerRedis.engineAnswers();
  }

  /** A standalone Redis, wherever it runs; closed by JUnit with the test class. */
  private record Standalone(RedisAddress address, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
      stop.run();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RedisAddress.class
        || type == LocalRedis.class
        || type == LocalSentinel.class
        || type == LocalCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == RedisAddress.class) {
      return perClass(context, Standalone.class, RedisExtension::standalone).address();
    }
    if (type == LocalRedis.class) {
      return perClass(context, LocalRedis.class, LocalRedis::start);
    }
    if (type == LocalSentinel.class) {
      return perClass(context, LocalSentinel.class, LocalSentinel::start);
    }
    return perClass(context, LocalCluster.class, LocalCluster::start);
  }

  private static <T extends AutoCloseable> T perClass(
      ExtensionContext context, Class<T> type, Supplier<T> start) {
    ExtensionContext ofClass = context;
    while (ofClass.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
      ofClass = ofClass.getParent().orElseThrow();
    }
    return ofClass.getStore(STORE).computeIfAbsent(type, absent -> start.get(), type);
  }

  private static Standalone standalone() {
    if (Docker.ANSWERS) {
      DockerRedis redis = DockerRedis.start();
      log.info("Redis for tests: a container at {} (Docker answers)", redis.address());
      return new Standalone(redis.address(), redis::close);
    }
    LocalRedis redis = LocalRedis.start();
    log.info("Redis for tests: the packed server at {} (no Docker engine)", redis.address());
    return new Standalone(redis.address(), redis::close);
  }
}
