// The groups and tool prices that a new installation starts with; from then on they are options. Models are priced by the
// manifests of their adapters. Public price facts, not advice. Units: defaults/README.md. Makers of models and other gateways are no options.
import groupRatio from './defaults/group-ratios.json' with { type: 'json' }
import makers from './defaults/makers.json' with { type: 'json' }
import otherGateways from './defaults/other-gateways.json' with { type: 'json' }
import toolPrices from './defaults/tool-prices.json' with { type: 'json' }
import topupGroupRatio from './defaults/topup-group-ratios.json' with { type: 'json' }
import userUsableGroups from './defaults/user-usable-groups.json' with { type: 'json' }

export const defaults = {
  groupRatio,
  userUsableGroups,
  topupGroupRatio,
  toolPrices,
  makers,
  otherGateways,
}
