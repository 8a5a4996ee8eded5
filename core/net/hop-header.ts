/** Names the installations that a call has come through, oldest first: opaque ids, by which one knows its own. */
export const hopHeader = 'x-tollgate-hop'
