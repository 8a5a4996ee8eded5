/** A piece of a text, from `start` to before `end`. */
export interface Span {
  start: number
  end: number
}

/** Finds pieces of one kind, in order. Takes time in proportion to the text, whatever stands in it. */
export type Finder = (text: string) => Iterable<Span>
