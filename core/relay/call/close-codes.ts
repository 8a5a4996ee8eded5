/** RFC 6455 section 7.4.1; 1013 is in the registry of that section. Decision 0007 says what each one means here. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  failed: 1011,
  tryAgainLater: 1013,
} as const
