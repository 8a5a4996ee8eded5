// How modules are put into files. Left to itself the bundler makes a file of every set of modules that the same screens share, a hundred small
// ones for the first page; a browser without HTTP/2 asks for six at a time. A group takes its modules with all that they import.

/** A module goes into the first group that names or needs it. What is loaded when it is shown (pickers of days, markdown) stands in none. */
export const chunkGroups = [
  // The modules that load before any screen, and those of the home page.
  {
    name: 'frame',
    test: /\/console\/(?:main|kit\/values\/html|registry\/slots\/slot-boundary)\.tsx$/,
  },
  // One field of a form and the ways to sign in: what a visitor meets first.
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
