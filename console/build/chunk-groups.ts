// How modules are grouped into chunks. By default the bundler makes a chunk of every set of modules that the same screens share: a hundred small
// ones for the first page, of which a browser without HTTP/2 loads six at a time. A group includes all imports of its modules.

/** A module goes into the first group that names or imports it. Modules that are loaded on demand (date pickers, Markdown) are in none. */
export const chunkGroups = [
  // The modules that load before any screen, and those of the home page.
  {
    name: 'frame',
    test: /\/console\/(?:main|kit\/values\/html|registry\/slots\/slot-boundary)\.tsx$/,
  },
  // Form fields and sign-in methods, which visitors need first.
  {
    name: 'entry',
    test: /\/console\/(?:sign-in\/|kit\/entry-card\.|kit\/forms\/(?:field|first-fault)\.)/,
  },
  {
    name: 'values',
    test: /\/console\/kit\/values\/(?!html|markdown|sanitised|harmless-style)/,
  },
  { name: 'forms', test: /\/console\/kit\/forms\/(?!own-period|moment-input)/ },
  { name: 'lists', test: /\/console\/(?:kit\/lists|api)\// },
].map((group, at) => ({ ...group, priority: 10 - at }))
