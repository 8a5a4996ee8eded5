/** Shorter ones would blacken half of a sentence. */
const shortestSecret = 4

/** The text without these values, as they are and as they stand in an address. */
export function hideSecrets(values: readonly unknown[], text: string): string {
  return written(values).reduce((rest, secret) => rest.replaceAll(secret, '••••'), text)
}

export function holdsSecret(values: readonly unknown[], text: string): boolean {
  return written(values).some((secret) => text.includes(secret))
}

function written(values: readonly unknown[]): string[] {
  return values
    .filter((value) => typeof value === 'string')
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, encodeURIComponent(value)])
}
