import { testAdapter } from '#test'
import fireworks from './index.ts'

testAdapter(fireworks, new URL('./cases/', import.meta.url))
