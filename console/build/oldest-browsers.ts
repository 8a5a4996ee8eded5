/** The oldest browsers that the console is made for (README.md). */
export const oldestBrowsers = ['chrome111', 'edge111', 'firefox121', 'safari16.4']
