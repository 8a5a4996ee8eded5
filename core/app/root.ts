// The folder of the checkout or package. A file of its own, so that commands that need no gateway load no more than this.
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
