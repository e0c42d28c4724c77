//! Meshes of Abaqus and CalculiX.

use super::lines::{Lines, real};
use super::{Fault, ReadError};
use crate::mesh::{Element, Material, Mesh, Node, Section, Shape};
use crate::words::near;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A line that begins with one star: its word and its options, both in capitals; names as they are.
struct Keyword {
    line: usize,
    word: String,
    options: BTreeMap<String, String>,
}

impl Keyword {
    fn new(line: usize, text: &str) -> Keyword {
        let mut parts = text.trim_start_matches('*').split(',').map(str::trim);
        let word = parts.next().unwrap_or_default().to_uppercase();
        let option = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.trim().to_uppercase(), value.trim().trim_matches('"').to_string())
        };
        let options = parts.filter(|part| !part.is_empty()).map(option).collect();
        Keyword { line, word, options }
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    fn wanted(&self, name: &str, what: &'static str) -> Result<&str, ReadError> {
        self.option(name).ok_or(ReadError { line: self.line, fault: Fault::Wants(what) })
    }
}

/// What is read so far.
#[derive(Default)]
struct AbaqusText {
    mesh: Mesh,
    nodes: BTreeMap<u64, usize>,
    elements: BTreeMap<u64, usize>,
    materials: Vec<Material>,
    /// set, material, extent and line of sections, given once all sets are known
    sections: Vec<(String, String, f64, usize)>,
}

fn shape(name: &str) -> Option<Shape> {
    Some(match name.to_uppercase().as_str() {
        "T3D2" | "T2D2" => Shape::Bar,
        "CPS4" => Shape::Membrane,
        "C3D8" => Shape::Hexahedron,
        "C3D8I" => Shape::BendingHexahedron,
        "C3D10" => Shape::Tetrahedron,
        _ => return None,
    })
}

/// Reads a mesh with its materials. Names are compared without regard to case; keywords of analyses are passed over.
/// C3D8 is the trilinear element with all of its eight places; parts and instances are not read.
///
/// # Errors
/// Numbers, nodes, sets and materials that are not there, elements of other types, materials that are not isotropic.
pub fn abaqus(text: &str) -> Result<Mesh, ReadError> {
    let (mut lines, mut found) = (Lines::new(text), AbaqusText::default());
    let mut next = lines.next();
    while let Some(line) = next {
        if line.starts_with("**") {
            next = lines.next();
            continue;
        }
        if !line.starts_with('*') {
            return Err(lines.fault(Fault::Wants("a keyword that begins with *")));
        }
        let (start, mut text) = (lines.number, line.to_string());
        while text.trim_end().ends_with(',') {
            text += lines.wanted("the rest of a keyword")?;
        }
        let keyword = Keyword::new(start, &text);
        next = found.section(&keyword, &mut lines)?;
    }
    found.finish()
}

/// Words of the lines up to the next keyword, with their numbers; and that keyword.
fn data<'a>(
    lines: &mut Lines<'a>,
    mut visit: impl FnMut(&Lines<'a>, Vec<&'a str>) -> Result<(), ReadError>,
) -> Result<Option<&'a str>, ReadError> {
    while let Some(line) = lines.next() {
        if line.starts_with("**") {
            continue;
        }
        if line.starts_with('*') {
            return Ok(Some(line));
        }
        let words = line.trim_end_matches(',').split(',').map(str::trim).collect();
        visit(lines, words)?;
    }
    Ok(None)
}

impl AbaqusText {
    fn section<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
    ) -> Result<Option<&'a str>, ReadError> {
        let refuse =
            |what: &str| Err(ReadError { line: keyword.line, fault: Fault::NotSupported(what.to_string()) });
        match keyword.word.as_str() {
            "NODE" => self.read_nodes(keyword, lines),
            "ELEMENT" => self.read_elements(keyword, lines),
            "NSET" => self.read_set(keyword, lines, true),
            "ELSET" => self.read_set(keyword, lines, false),
            "MATERIAL" => {
                let name = keyword.wanted("NAME", "NAME= of a material")?;
                self.materials.push(Material::new(name, 0.0, 0.0, 0.0));
                data(lines, |_, _| Ok(()))
            }
            "ELASTIC" | "DENSITY" => self.read_constants(keyword, lines),
            "SOLID SECTION" => self.read_section(keyword, lines),
            "INCLUDE" | "INSTANCE" | "SYSTEM" | "TRANSFORM" => refuse(&format!("*{}", keyword.word)),
            _ => data(lines, |_, _| Ok(())),
        }
    }

    fn read_nodes<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
    ) -> Result<Option<&'a str>, ReadError> {
        data(lines, |lines, words| {
            let number: u64 = lines.number(words[0])?;
            let mut place = Vector3::zeros();
            for (k, word) in words[1..].iter().take(3).enumerate().filter(|(_, word)| !word.is_empty()) {
                place[k] = real(lines, word)?;
            }
            if self.nodes.insert(number, self.mesh.nodes.len()).is_some() {
                return Err(lines.fault(Fault::Twice(number)));
            }
            self.mesh.nodes.push(Node { number, place });
            if let Some(set) = keyword.option("NSET") {
                add(&mut self.mesh.node_sets, set, &[self.mesh.nodes.len() - 1]);
            }
            Ok(())
        })
    }

    fn read_elements<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
    ) -> Result<Option<&'a str>, ReadError> {
        let name = keyword.wanted("TYPE", "TYPE= of elements")?;
        let unknown = ReadError { line: keyword.line, fault: Fault::ElementType(name.to_string()) };
        let shape = shape(name).ok_or(unknown)?;
        let mut waiting: Vec<u64> = Vec::new();
        let next = data(lines, |lines, words| {
            for word in words.iter().filter(|word| !word.is_empty()) {
                waiting.push(lines.number(word)?);
            }
            if waiting.len() <= shape.nodes() {
                return Ok(()); // goes on in the next line
            }
            let numbers = std::mem::take(&mut waiting);
            if numbers.len() != shape.nodes() + 1 {
                return Err(lines.fault(Fault::Wants("as many nodes as the element has")));
            }
            let place = |&node: &u64| {
                let unknown = Fault::NodeUnknown { element: numbers[0], node };
                self.nodes.get(&node).copied().ok_or_else(|| lines.fault(unknown))
            };
            let nodes = numbers[1..].iter().map(place).collect::<Result<_, _>>()?;
            if self.elements.insert(numbers[0], self.mesh.elements.len()).is_some() {
                return Err(lines.fault(Fault::Twice(numbers[0])));
            }
            self.mesh.elements.push(Element { number: numbers[0], shape, nodes, section: None });
            if let Some(set) = keyword.option("ELSET") {
                add(&mut self.mesh.element_sets, set, &[self.mesh.elements.len() - 1]);
            }
            Ok(())
        })?;
        if waiting.is_empty() { Ok(next) } else { Err(lines.fault(Fault::Wants("all nodes of an element"))) }
    }

    fn read_set<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
        nodes: bool,
    ) -> Result<Option<&'a str>, ReadError> {
        let option = if nodes { "NSET" } else { "ELSET" };
        let name = keyword.wanted(option, "the name of a set")?.to_string();
        let (places, generate) =
            (if nodes { &self.nodes } else { &self.elements }, keyword.option("GENERATE"));
        let sets = if nodes { &mut self.mesh.node_sets } else { &mut self.mesh.element_sets };
        add(sets, &name, &[]);
        data(lines, |lines, words| {
            let mut found = Vec::new();
            if generate.is_some() {
                let numbers: Vec<u64> =
                    words.iter().map(|word| lines.number(word)).collect::<Result<_, _>>()?;
                let (first, last, step) = match numbers[..] {
                    [first, last] => (first, last, 1),
                    [first, last, step] if step > 0 => (first, last, step),
                    _ => return Err(lines.fault(Fault::Wants("first, last and step"))),
                };
                let inside = places.range(first..=last.max(first)).filter(|(k, _)| (*k - first) % step == 0);
                found.extend(inside.filter(|(k, _)| **k <= last).map(|(_, &place)| place));
            } else {
                for word in words.iter().filter(|word| !word.is_empty()) {
                    match word.parse::<u64>() {
                        Ok(number) => {
                            let place = places.get(&number).copied();
                            found.push(place.ok_or_else(|| lines.fault(Fault::NumberUnknown(number)))?);
                        }
                        Err(_) => found.extend(known(sets, word, lines.number)?),
                    }
                }
            }
            add(sets, &name, &found);
            Ok(())
        })
    }

    fn read_constants<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
    ) -> Result<Option<&'a str>, ReadError> {
        let at = |fault| ReadError { line: keyword.line, fault };
        let kind = keyword.option("TYPE").unwrap_or("ISO").to_uppercase();
        if !kind.starts_with("ISO") {
            return Err(at(Fault::NotSupported(format!("a material of type {kind}"))));
        }
        let material = self.materials.last_mut().ok_or(at(Fault::Wants("*MATERIAL before it")))?;
        let (mut rows, elastic) = (0, keyword.word == "ELASTIC");
        data(lines, |lines, words| {
            rows += 1;
            if rows > 1 {
                return Err(lines.fault(Fault::NotSupported("a material that depends on temperature".into())));
            }
            if elastic {
                let [young, poisson, ..] = words[..] else {
                    return Err(lines.fault(Fault::Wants("Young's modulus and Poisson's ratio")));
                };
                (material.young, material.poisson) = (real(lines, young)?, real(lines, poisson)?);
            } else {
                material.density = real(lines, words[0])?;
            }
            Ok(())
        })
    }

    fn read_section<'a>(
        &mut self,
        keyword: &Keyword,
        lines: &mut Lines<'a>,
    ) -> Result<Option<&'a str>, ReadError> {
        let set = keyword.wanted("ELSET", "ELSET= of a section")?.to_string();
        let material = keyword.wanted("MATERIAL", "MATERIAL= of a section")?.to_string();
        let mut extent = 1.0;
        let next = data(lines, |lines, words| {
            if !words[0].is_empty() {
                extent = real(lines, words[0])?;
            }
            Ok(())
        })?;
        self.sections.push((set, material, extent, keyword.line));
        Ok(next)
    }

    fn finish(mut self) -> Result<Mesh, ReadError> {
        for (set, material, extent, line) in self.sections {
            let elements = known(&self.mesh.element_sets, &set, line)?;
            let found = self.materials.iter().find(|own| own.name.eq_ignore_ascii_case(&material));
            let names: Vec<String> = self.materials.iter().map(|own| own.name.clone()).collect();
            let unknown =
                || Fault::NameUnknown { near: near(&material, names.iter()), name: material.clone() };
            let found = found.ok_or_else(|| ReadError { line, fault: unknown() })?;
            self.mesh.sections.push(Section::of_extent(found.clone(), extent));
            let place = self.mesh.sections.len() - 1;
            elements.into_iter().for_each(|element| self.mesh.elements[element].section = Some(place));
        }
        for set in self.mesh.node_sets.values_mut().chain(self.mesh.element_sets.values_mut()) {
            set.sort_unstable();
            set.dedup();
        }
        Ok(self.mesh)
    }
}

/// Adds to a set, whatever the case of its name.
fn add(sets: &mut BTreeMap<String, Vec<usize>>, name: &str, places: &[usize]) {
    let own = sets.keys().find(|own| own.eq_ignore_ascii_case(name)).cloned();
    sets.entry(own.unwrap_or_else(|| name.to_string())).or_default().extend(places);
}

/// What a set holds, whatever the case of its name.
fn known(sets: &BTreeMap<String, Vec<usize>>, name: &str, line: usize) -> Result<Vec<usize>, ReadError> {
    let found = sets.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    let unknown = || Fault::NameUnknown { name: name.to_string(), near: near(name, sets.keys()) };
    found.map(|(_, places)| places.clone()).ok_or_else(|| ReadError { line, fault: unknown() })
}
