/** Writes a line for whoever runs a command. */
export type Print = (line: string) => void
