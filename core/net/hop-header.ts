/** The installations that a call has passed, oldest first, as opaque ids. An installation recognises its own id. */
export const hopHeader = 'x-tollgate-hop'
