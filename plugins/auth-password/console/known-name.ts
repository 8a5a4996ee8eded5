/** State of the address `/login`: who has just registered types only the password. */
export interface KnownName {
  username?: string
}
