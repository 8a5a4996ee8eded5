import type { DatabaseService } from '../contract/services.ts'

export interface IssuerCount {
  issuer: string
  accounts: number
  /** The number of these accounts that have no other way to sign in: no password, no passkey, no other identity. */
  stranded: number
}

/** Counts the accounts that are bound to a provider, by the issuer of their identities. */
export function countIdentities(
  database: DatabaseService,
  provider: string,
): Promise<IssuerCount[]> {
  return database.select<IssuerCount>(
    `SELECT i.issuer, CAST(COUNT(*) AS INTEGER) AS accounts,
       CAST(SUM(CASE WHEN u.password = '' AND u.deleted_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM user_identities o WHERE o.user_id = i.user_id AND o.provider <> i.provider)
         AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = i.user_id)
         THEN 1 ELSE 0 END) AS INTEGER) AS stranded
     FROM user_identities i JOIN users u ON u.id = i.user_id
     WHERE i.provider = :provider
     GROUP BY i.issuer
     ORDER BY i.issuer`,
    { provider },
  )
}
