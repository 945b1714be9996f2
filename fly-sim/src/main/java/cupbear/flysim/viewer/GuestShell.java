// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.ExecResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands that {@code exec} can run inside a Machine: enough to stage credentials, to leave
 * and look at files, and to tear a session down. Names may carry a path; {@code sh -c} understands
 * quotes, {@code &&} and {@code ;}. Used on the Machine's event loop only.
 *
 * <ul>
 *   <li>{@code chpasswd} ({@code user:password} lines on stdin), {@code useradd}, {@code userdel},
 *       {@code id}
 *   <li>{@code cupbear-stage}: what a viewer image brings along to take a session's login; as
 *       {@code chpasswd}, and makes users that are not there
 *   <li>{@code tee}, {@code touch}, {@code cat}, {@code ls}, {@code rm}, {@code test -e}
 *   <li>{@code pkill}, {@code loginctl terminate-user}: every connection to the Machine ends
 *   <li>{@code teardown}: connections end, users and files are those of the image again
 *   <li>{@code echo}, {@code true}, {@code false}
 * </ul>
 */
final class GuestShell {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int NOT_FOUND = 127;
  private static final ExecResult DONE = new ExecResult(0, "", "");

  private final GuestSystem guest;
  private final Runnable endSessions;

  /**
   * @param endSessions drops whoever is connected
   */
  GuestShell(GuestSystem guest, Runnable endSessions) {
    this.guest = guest;
    this.endSessions = endSessions;
  }

  ExecResult run(List<String> command, String stdin) {
    if (command.isEmpty()) {
      return failed(USAGE, "exec: no command given; send for example [\"true\"]");
    }
    String name = baseName(command.get(0));
    List<String> args = command.subList(1, command.size());
    if (name.equals("sh") || name.equals("bash")) {
      return args.size() == 2 && args.get(0).endsWith("c")
          ? script(args.get(1), stdin)
          : failed(USAGE, name + ": only -c SCRIPT is simulated");
    }
    return account(name, args, stdin)
        .or(() -> file(name, args, stdin))
        .or(() -> session(name, args))
        .orElseGet(() -> failed(NOT_FOUND, name + ": not found in this simulated image"));
  }

  private ExecResult script(String text, String stdin) {
    Optional<List<ShellWords.Step>> steps = ShellWords.parse(text);
    if (steps.isEmpty()) {
      return failed(USAGE, "sh: only quotes, && and ; are simulated");
    }
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    int exit = 0;
    for (ShellWords.Step step : steps.get()) {
      if (step.onlyIfOk() && exit != 0) {
        continue;
      }
      ExecResult result = run(step.words(), stdin);
      out.append(result.stdout());
      err.append(result.stderr());
      exit = result.exitCode();
    }
    return new ExecResult(exit, out.toString(), err.toString());
  }

  private Optional<ExecResult> account(String name, List<String> args, String stdin) {
    String last = args.isEmpty() ? "" : args.get(args.size() - 1);
    return switch (name) {
      case "chpasswd" -> Optional.of(chpasswd(stdin));
      case "cupbear-stage" -> Optional.of(stage(stdin));
      case "useradd" -> Optional.of(check(guest.addUser(last), 9, "useradd: user exists: " + last));
      case "userdel" -> Optional.of(check(guest.removeUser(last), 6, "userdel: no user: " + last));
      case "id" -> Optional.of(check(guest.hasUser(last), FAILED, "id: no such user: " + last));
      default -> Optional.empty();
    };
  }

  private ExecResult stage(String stdin) {
    stdin
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .map(line -> line.substring(0, line.indexOf(':')))
        .filter(user -> !guest.hasUser(user))
        .forEach(guest::addUser);
    return chpasswd(stdin);
  }

  private ExecResult chpasswd(String stdin) {
    List<String> lines = stdin.lines().filter(line -> !line.isBlank()).toList();
    for (int i = 0; i < lines.size(); i++) {
      int colon = lines.get(i).indexOf(':');
      // Neither user nor password goes into the message: stderr ends up in logs.
      String where = "chpasswd: line " + (i + 1);
      if (colon < 1) {
        return failed(FAILED, where + ": not user:password");
      }
      String user = lines.get(i).substring(0, colon);
      if (!guest.password(user, lines.get(i).substring(colon + 1))) {
        return failed(FAILED, where + ": no such user; useradd comes first");
      }
    }
    return check(!lines.isEmpty(), FAILED, "chpasswd: nothing on stdin; send user:password");
  }

  private Optional<ExecResult> file(String name, List<String> args, String stdin) {
    List<String> paths = args.stream().filter(arg -> !arg.startsWith("-")).toList();
    boolean force = args.stream().anyMatch(arg -> arg.startsWith("-") && arg.contains("f"));
    return switch (name) {
      case "tee" -> Optional.of(write(paths, stdin, stdin));
      case "touch" -> Optional.of(touch(paths));
      case "cat" -> Optional.of(cat(paths, stdin));
      case "ls" -> Optional.of(list(paths));
      case "rm" -> Optional.of(remove(paths, force));
      case "test" -> Optional.of(test(args));
      default -> Optional.empty();
    };
  }

  private ExecResult write(List<String> paths, String content, String echo) {
    for (String path : paths) {
      if (!guest.write(path, content)) {
        return failed(FAILED, path + ": no space left on the simulated disk");
      }
    }
    return new ExecResult(0, echo, "");
  }

  private ExecResult touch(List<String> paths) {
    return write(paths.stream().filter(path -> guest.read(path).isEmpty()).toList(), "", "");
  }

  private ExecResult cat(List<String> paths, String stdin) {
    StringBuilder out = new StringBuilder(paths.isEmpty() ? stdin : "");
    for (String path : paths) {
      Optional<String> content = guest.read(path);
      if (content.isEmpty()) {
        return new ExecResult(
            FAILED, out.toString(), "cat: " + path + ": No such file or directory\n");
      }
      out.append(content.get());
    }
    return new ExecResult(0, out.toString(), "");
  }

  private ExecResult list(List<String> paths) {
    List<String> found = new ArrayList<>();
    for (String path : paths.isEmpty() ? List.of("/") : paths) {
      found.addAll(guest.under(path));
    }
    return new ExecResult(0, found.isEmpty() ? "" : String.join("\n", found) + "\n", "");
  }

  private ExecResult remove(List<String> paths, boolean force) {
    boolean all = true;
    for (String path : paths) {
      all &= guest.remove(path);
    }
    return check(all || force, FAILED, "rm: No such file or directory");
  }

  private ExecResult test(List<String> args) {
    return args.size() == 2 && args.get(0).equals("-e")
        ? check(guest.read(args.get(1)).isPresent(), FAILED, "")
        : failed(USAGE, "test: only -e FILE is simulated");
  }

  private Optional<ExecResult> session(String name, List<String> args) {
    return switch (name) {
      case "pkill" -> {
        endSessions.run();
        yield Optional.of(DONE);
      }
      case "loginctl" -> {
        if (args.isEmpty() || !args.get(0).equals("terminate-user")) {
          yield Optional.of(failed(USAGE, "loginctl: only terminate-user NAME is simulated"));
        }
        endSessions.run();
        yield Optional.of(DONE);
      }
      case "teardown" -> {
        endSessions.run();
        guest.wipe();
        yield Optional.of(DONE);
      }
      case "echo" -> Optional.of(new ExecResult(0, String.join(" ", args) + "\n", ""));
      case "true" -> Optional.of(DONE);
      case "false" -> Optional.of(failed(FAILED, ""));
      default -> Optional.empty();
    };
  }

  private static ExecResult check(boolean ok, int exit, String otherwise) {
    return ok ? DONE : failed(exit, otherwise);
  }

  private static ExecResult failed(int exit, String why) {
    return new ExecResult(exit, "", why.isEmpty() ? "" : why + "\n");
  }

  private static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
