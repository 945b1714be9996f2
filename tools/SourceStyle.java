// SPDX-License-Identifier: Apache-2.0
import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks (or fixes) that every Java file is formatted by google-java-format and starts with the SPDX line.
 *
 * <p>Run by the root pom in the JDK that the build chose, because the formatter parses with that JDK's own compiler and
 * Maven may run on an older one: {@code java SourceStyle.java check|fix ROOT}.
 */
class SourceStyle {
  private static final String SPDX = "// SPDX-License-Identifier: Apache-2.0\n";

  public static void main(String[] args) throws Exception {
    boolean fix = args[0].equals("fix");
    Path root = Path.of(args[1]);
    List<Path> wrong = new ArrayList<>();
    for (Path file : javaFiles(root)) {
      String now = Files.readString(file);
      String wanted = styled(file, now);
      if (now.equals(wanted)) continue;
      wrong.add(root.relativize(file));
      if (fix) Files.writeString(file, wanted);
    }
    if (wrong.isEmpty()) return;
    wrong.forEach(file -> System.err.println((fix ? "formatted " : "not in house style: ") + file));
    if (!fix) {
      System.err.println("Run ./cupbear fmt to put these files into house style.");
      System.exit(1);
    }
  }

  private static String styled(Path file, String source) {
    try {
      String headed = source.startsWith(SPDX) ? source : SPDX + source;
      String tidy = ImportOrderer.reorderImports(RemoveUnusedImports.removeUnusedImports(headed), Style.GOOGLE);
      return new Formatter().formatSource(tidy);
    } catch (Exception e) {
      throw new IllegalStateException(file + " cannot be parsed: " + e.getMessage(), e);
    }
  }

  private static List<Path> javaFiles(Path root) throws Exception {
    List<Path> files = new ArrayList<>();
    for (Path module : children(root)) {
      Path sources = module.resolve("src");
      if (!Files.isDirectory(sources)) continue;
      try (Stream<Path> walk = Files.walk(sources)) {
        walk.filter(path -> path.toString().endsWith(".java")).forEach(files::add);
      }
    }
    return files;
  }

  private static List<Path> children(Path folder) throws Exception {
    try (Stream<Path> list = Files.list(folder)) {
      return list.sorted().toList();
    }
  }
}
