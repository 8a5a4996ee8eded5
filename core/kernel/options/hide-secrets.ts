/** Shorter ones would blacken half of a sentence. */
const shortestSecret = 4

/** The text without these values, as they are and as they stand in an address. */
export function hideSecrets(values: readonly unknown[], text: string): string {
  return values
    .filter((value) => typeof value === 'string')
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, encodeURIComponent(value)])
    .reduce((rest, secret) => rest.replaceAll(secret, '••••'), text)
}
