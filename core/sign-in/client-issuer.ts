/** The issuer of identities that are learnt by an authorization code. The client counts too: whoever has registered it
 *  can obtain codes of people elsewhere, and sign in as them here. */
export function clientIssuer(address: string, clientId: string): string {
  return `${address.replace(/(?<!\/)\/+$/, '')} (client ${clientId})`
}
