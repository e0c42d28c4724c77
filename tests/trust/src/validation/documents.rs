//! Tables of the documents that do not depend on a machine: counts of operations.

use super::command::{Kingpin, number};
use super::page::Page;
use kingpin::topology::{JointGraph, Metrics, Permutation};
use serde_json::Value;

/// Writes them.
pub fn write(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    stars(kingpin, page)?;
    sequences(page)?;
    vehicle(kingpin, page)?;
    envelopes(kingpin, page)
}

const STAR: [(u32, [u64; 3], [u64; 3]); 7] = [
    (3, [10, 6, 6], [10, 6, 6]),
    (4, [22, 10, 10], [20, 11, 11]),
    (5, [40, 15, 15], [30, 16, 16]),
    (6, [65, 21, 21], [40, 21, 21]),
    (7, [98, 28, 28], [50, 26, 26]),
    (8, [140, 36, 36], [60, 31, 31]),
    (16, [920, 136, 136], [140, 71, 71]),
];

/// Table I: a star, whole and with its hub split, by the library's own search for splits.
fn stars(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let mut rows = Vec::new();
    for (joints, whole, split) in STAR {
        let size = (joints - 1).to_string();
        let model = kingpin.text(&["generate", "star", "--size", &size])?;
        let file = std::env::temp_dir().join(format!("star{joints}-{}.toml", std::process::id()));
        std::fs::write(&file, model).map_err(|error| error.to_string())?;
        let report = kingpin.json(&["topology", &file.display().to_string(), "--json"]);
        let _ = std::fs::remove_file(&file);
        let report = report?;
        let best = |list: &Value| -> Option<[u64; 3]> {
            let of = |o: &Value, key: &str| o[key].as_u64();
            let all = list
                .as_array()?
                .iter()
                .filter_map(|o| Some([of(o, "multiplications")?, of(o, "inversions")?, of(o, "nonzeros")?]));
            all.min_by_key(|counts| counts[0])
        };
        let ours = best(&report["orderings"]).ok_or("no orders")?;
        let ours_split = best(&report["split"]["orderings"]);
        let shown = |counts: [u64; 3]| counts.map(|n| n.to_string()).join(", ");
        let mark = |ok: bool| if ok { "same" } else { "differs" };
        let agree = ours == whole && ours_split.is_none_or(|ours| ours[0] <= split[0]);
        rows.push(vec![
            joints.to_string(),
            shown(whole),
            shown(ours),
            shown(split),
            ours_split.map_or("not split: no saving".into(), shown),
            mark(agree).to_string(),
        ]);
    }
    page.heading("Negrut TBLS, Table I: star, with and without a split hub");
    page.says(
        "Block multiplications (= additions), inversions, nonzeros of the best order. `kingpin topology`.",
    );
    page.table(&["joints", "printed", "ours", "printed, split", "ours, split", ""], &rows);
    Ok(())
}

fn counts(graph: &JointGraph, order: &[usize]) -> Result<[u64; 5], String> {
    let order = Permutation::new(order.iter().map(|k| k - 1).collect()).map_err(|e| format!("{e:?}"))?;
    let c = Metrics::new(graph, &order).counts;
    Ok([c.additions, c.multiplications, c.inversions, c.fill, c.nonzeros])
}

fn shown(counts: &[u64]) -> String {
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// Table II: two sequences for the seven-body mechanism.
fn sequences(page: &mut Page) -> Result<(), String> {
    // bodies of joints 1 to 10; none is ground
    let pairs =
        [(None, Some(0)), (Some(0), Some(1)), (Some(1), Some(5)), (Some(1), Some(2)), (Some(2), Some(3))];
    let others = [(Some(3), Some(4)), (Some(4), None), (Some(6), None), (Some(5), Some(6)), (Some(2), None)];
    let joints = pairs.into_iter().chain(others).map(|(a, b)| (a, b, 2));
    let graph = JointGraph::from_pairs(7, joints).map_err(|error| format!("{error:?}"))?;
    let mut rows = Vec::new();
    for (order, printed) in [
        ([1, 2, 7, 6, 5, 8, 9, 3, 4, 10], [35, 35, 21, 0]),
        ([4, 2, 3, 5, 6, 9, 1, 7, 8, 10], [111, 130, 40, 19]),
    ] {
        let ours = counts(&graph, &order)?;
        let name = order.map(|k| k.to_string()).join(" ");
        let same = if ours[..4] == printed { "same" } else { "differs" };
        rows.push(vec![name, shown(&printed), shown(&ours[..4]), same.into()]);
    }
    page.heading("Negrut TBLS, Table II: seven-body mechanism");
    page.says("Additions, multiplications, inversions, fill along a sequence of joints.");
    page.table(&["sequence", "printed", "ours", ""], &rows);
    Ok(())
}

/// Table III: the vehicle as given, and with its chassis split.
fn vehicle(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let report = kingpin.json(&["topology", "models/hmmwv14.toml", "--json"])?;
    let five = |o: &Value| -> Vec<u64> {
        let keys = ["additions", "multiplications", "inversions", "fill", "nonzeros"];
        keys.iter().filter_map(|key| o[key].as_u64()).collect()
    };
    let orderings = report["orderings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let given = orderings.iter().map(five).min_by_key(|counts| counts[1]).ok_or("there are no orderings")?;
    let split = report["split"]["orderings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let best = split.iter().map(five).min_by_key(|counts| counts[1]).ok_or("the chassis is not split")?;
    let same = if given == [459, 469, 109, 10, 99] { "same" } else { "differs" };
    let rows = [
        vec!["good sequence".into(), "459, 469, 109, 10, 99".into(), shown(&given), same.to_string()],
        vec![
            "chassis split".into(),
            "220, 233, 90, 13, 77".into(),
            shown(&best),
            "the printed row is a misprint: no tree of virtual bodies has these five numbers".into(),
        ],
    ];
    page.heading("Negrut TBLS, Table III: HMMWV");
    page.says(
        "Additions, multiplications, inversions, fill, nonzeros. The good sequence is the best one found.",
    );
    page.table(&["case", "printed", "ours", ""], &rows);
    Ok(())
}

/// [Serban 1997, Eqs 24 to 27]: chain of 50 numbered well and badly, and the seven-body mechanism.
fn envelopes(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let chain = kingpin.json(&["bench", "numbering", "--json"])?;
    let mut rows = Vec::new();
    for (k, printed) in [[1, 49, 98], [49, 625, 11350]].iter().enumerate() {
        let of = |key: &str| number(&chain, &format!("/{k}/{key}")).map(|x| x as u64);
        let ours = [of("bandwidth")?, of("envelope")?, of("envelope_work")?];
        let name = chain[k]["numbering"].as_str().unwrap_or_default();
        let same = if ours == *printed { "same" } else { "differs" };
        rows.push(vec![format!("chain of 50: {name}"), shown(printed), shown(&ours), same.into()]);
    }
    let seven = kingpin.json(&["topology", "models/andrews.toml", "--json"])?;
    let of = |key: &str| seven["orderings"][0][key].as_u64().unwrap_or_default();
    let ours = [of("bandwidth"), of("envelope"), of("envelope_work")];
    let same = if ours == [6, 19, 69] { "same" } else { "differs" };
    rows.push(vec!["seven-body mechanism as labelled".into(), "6, 19, 69".into(), shown(&ours), same.into()]);
    page.heading("Serban 1997, equations 24 to 27, and the two numberings of the thesis, Figures 5 and 6");
    page.says("Bandwidth, envelope, work in blocks; reference: the equations evaluated by hand for the printed orders.");
    page.table(&["order", "reference", "ours", ""], &rows);
    Ok(())
}
