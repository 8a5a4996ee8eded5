// How people recognise and find a provider. Nothing of it changes what calls do.

/** Where a picker of providers shows one; those that name no section come last. */
export type ProviderSection = 'popular' | 'self-hosted' | 'china' | 'media'

/** What a picker of providers shows and searches, beside name and mark. */
export interface PickerEntry {
  section?: ProviderSection
  /** Its name for Chinese readers, where it has one of its own. */
  zh?: string
  /** Other names, products and makers that people search by, in any language. */
  aliases?: readonly string[]
}
