/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
  start: number
  end: number
}

/** Finds spans of one kind, in order. Its time must be proportional to the length of any text. */
export type Finder = (text: string) => Iterable<Span>
