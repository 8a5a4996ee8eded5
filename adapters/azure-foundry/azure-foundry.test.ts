import { testAdapter } from '#test'
import azureFoundry from './index.ts'

testAdapter(azureFoundry, new URL('./cases/', import.meta.url))
