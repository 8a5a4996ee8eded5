// Patterns that linear-patterns.test.ts can prove nothing of: the checker does not read what they look ahead or behind for, or takes
// minutes for their counts. Each was read: no text makes them go over the same characters more often than a fixed number of times.

/** By the pattern, why it is linear. */
export const reviewed: ReadonlyMap<string, string> = new Map([
  [String.raw`/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i`, 'One anchor; dots part the labels.'],
  [
    String.raw`/^<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\s*(?:\n|$)/`,
    'One anchor; nothing that repeats can read what follows it.',
  ],
  [String.raw`/^::ffff:(?=\d+\.\d+\.\d+\.\d+(?:\/|$))/i`, 'One anchor; dots part the numbers.'],
  [String.raw`/^[0-9a-f]{64}\s*$/`, 'One anchor; a fixed count before the spaces.'],
  [
    String.raw`/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\{1,4}[rnt])*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g`,
    'Whatever stands behind the first line matches.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9_-])(Bearer|Basic)(\s{1,4}|%20)[\w.~+/=%-]{8,}/gi`,
    'What stands before its run is of bounded length; the run ends the match, or fails within a fixed number of characters.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9_-])(?:sk|pk|rk|xai|gsk|pplx|nvapi|hf|r8|tgp|fw|jina|app|pat|acct|cak|csk)[-_][\w-]{16,}/g`,
    'What stands before its run is of bounded length; the run ends the match, or fails within a fixed number of characters.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9_-])(?:bce-v3\/|ya29\.)[\w./-]{16,}/g`,
    'What stands before its run is of bounded length; the run ends the match, or fails within a fixed number of characters.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9_-])(?:AIza|AKIA|ASIA|AKID|LTAI)[\w-]{12,}/g`,
    'What stands before its run is of bounded length; the run ends the match, or fails within a fixed number of characters.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9_-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g`,
    'Begins at the edge of a run only, and each run is read once.',
  ],
  [
    String.raw`/(?<![A-Za-z0-9])(x-api-key|x-goog-api-key|api[-_]?key|apikey|access[-_]?token|refresh[-_]?token|client[-_]?secret|secret[-_]?key|secret[-_]?access[-_]?key|private[-_]?key|proxy-authorization|authorization|x-amz-security-token|mj-api-secret)([\\"']{0,6}\s{0,4}(?::|=|%3[aAdD])\s{0,4}[\\"']{0,6})[^\s"'\\&,;<>{}]{8,}/gi`,
    'What stands before its run is of bounded length; the run ends the match, or fails within a fixed number of characters.',
  ],
  [
    String.raw`/encrypted[ _]content|signature\W+in\W+thinking|expected\W+thinking|thought[ _]?signature/i`,
    'Each run stands behind a fixed word, so that it is begun once for each.',
  ],
  [String.raw`/(?<!\/)\/+$/`, 'Begins at the edge of a run of slashes only.'],
  ['/[0-9A-Za-z]{32,}/g', 'Fails after at most 31 characters.'],
  [
    String.raw`/!\[[^\][]*\]\(data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)\)/g`,
    'None of its runs reads its beginning.',
  ],
  [
    String.raw`/'[^']*(?:'|$)|"[^"]*(?:"|$)|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|::|:([a-zA-Z_]\w*)/g`,
    'Whatever begins matches up to its end or that of the text.',
  ],
  [
    String.raw`/^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.<>()[\]\\,;:"]+(?:\.[^\s@.<>()[\]\\,;:"]+)+$/`,
    'One anchor; the at sign and dots part the runs.',
  ],
])
