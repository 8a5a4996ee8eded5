// Makes password hashes cheap in a worker of the tests, once for all of its files. A process that a test starts makes its own as ever.
import { registerHooks } from 'node:module'

const url = new URL('quick-argon2.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2' && context.parentURL?.endsWith('/core/accounts/passwords.ts')
      ? { url, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
