// tollgate conformance DIR…: prints what holds of plugins and adapters, and ends with 1 when something does not.
import { checkFolders } from './check-folders.ts'

// What a plugin left behind must not keep the command from its end.
checkFolders(process.argv.slice(2), (line) => console.log(line)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
