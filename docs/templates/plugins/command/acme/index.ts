import { definePlugin } from 'tollgate/contract'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Finds accounts from a terminal', zh: '在终端查找账号' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['accounts', 'ledger'] },
  cliCommands: [
    {
      // tollgate acme find NAME
      id: 'find',
      summary: 'Prints the id and balance of a user: NAME.',
      run: async ([name, ...rest], { accounts, ledger }, print) => {
        if (name === undefined || rest.length > 0) {
          print('Usage: tollgate acme find NAME')
          return 2
        }
        const user = await accounts.findByLogin(name)
        if (!user) {
          print(`There is no user "${name}".`)
          return 1
        }
        print(`${user.id}\t${await ledger.balance(user.id)}`)
        return 0
      },
    },
  ],
})
