import type { FixtureResult } from './run.ts'

/** The failures with their reasons, then one line a provider, then the total. */
export function report(results: readonly FixtureResult[]): string {
  const failures = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ slug, name, problems }) => [`✗ ${slug}/${name}`, ...problems.map(indent)].join('\n'))
  const slugs = [...new Set(results.map(({ slug }) => slug))]
  const width = Math.max(0, ...slugs.map((slug) => slug.length))
  const rows = slugs.map(
    (slug) => `${slug.padEnd(width)}  ${count(results.filter((result) => result.slug === slug))}`,
  )
  return [...failures, ...rows, '', `${'total'.padEnd(width)}  ${count(results)}`].join('\n')
}

function count(results: readonly FixtureResult[]): string {
  const number = (outcome: FixtureResult['outcome']) =>
    String(results.filter((result) => result.outcome === outcome).length).padStart(3)
  return `${number('passed')} passed ${number('failed')} failed ${number('skipped')} skipped`
}

function indent(text: string): string {
  return `    ${text.replaceAll('\n', '\n    ')}`
}
