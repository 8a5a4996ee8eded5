export interface Card {
  id: string
  name: string
  colour: 'blue' | 'red'
  stars: number
  created_at: number
}

/** What the form holds. */
export type CardForm = Pick<Card, 'name' | 'colour' | 'stars'>

export const colours = ['blue', 'red'] as const
