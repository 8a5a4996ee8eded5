import { expect, it } from 'vitest'
import { placeOfFault } from './place-of-fault.ts'

const folder = '/home/ada/acme'

it.each([
  {
    what: 'what throws',
    stack: `Error: no luck
    at node:internal/process:1:1
    at Object.server (file:///home/ada/acme/index.ts?tollgate-try=2:6:11)`,
    place: 'Object.server (/home/ada/acme/index.ts:6:11)',
  },
  {
    what: 'what cannot be read',
    stack: `file:///home/ada/acme/index.ts:7
const = 1
      ^

SyntaxError: Unexpected token`,
    place: '/home/ada/acme/index.ts:7',
  },
  {
    what: 'the same where no package.json says that it is a module',
    stack: `/home/ada/acme/index.ts:7
const = 1
      ^

SyntaxError: Unexpected token`,
    place: '/home/ada/acme/index.ts:7',
  },
  {
    what: 'a folder without a plugin',
    stack: 'Error: no plugin\n/home/ada/acme has no index.ts',
    place: undefined,
  },
  {
    what: 'a message that names files, and nothing else does',
    stack: `Error: Cannot find module '/home/ada/acme/none.ts' imported from /home/ada/acme/index.ts
    at finalizeResolution (node:internal/modules/esm/resolve:272:11)`,
    place: undefined,
  },
])('says where, of $what', ({ stack, place }) => {
  expect(placeOfFault(stack, folder)).toBe(place)
})
